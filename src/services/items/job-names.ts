// Names of the jobs that care for items: apart from the jobs themselves, because those who wish for one need no more (R8).

/** `subject` is the item's id. */
export const MINT_JOB = "item_mint";
export const DAY_JOB = "item_day";
