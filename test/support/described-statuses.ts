// The answers that an interface description states for an operation, by status: those that operations of an interface
// share are its answer `default`, whose words list their statuses as `429: Too many requests; 500: …`.

type Reference = { readonly $ref?: string };
export type DescribedOperation<Answer> = {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer | Reference>>;
};
export type DescribedAnswers<Answer> = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation<Answer>>>>>;
  readonly components?: { readonly responses?: Readonly<Record<string, Answer>> };
};
type Worded = { readonly description: string };

const whole = <Answer extends Worded>({ components }: DescribedAnswers<Answer>, answer: Answer | Reference): Answer => {
  if (!("$ref" in answer) || answer.$ref === undefined) return answer as Answer;
  const found = components?.responses?.[answer.$ref.slice(answer.$ref.lastIndexOf("/") + 1)];
  if (found === undefined) throw new TypeError(`There is no ${answer.$ref}`);
  return found;
};

const METHODS = ["get", "put", "post", "patch", "delete", "head", "options"];

/** The operations with their addresses. The parameters that the methods of a path share are next to these. */
export const operationsIn = <Operation>(description: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}) =>
  Object.entries(description.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );

/** Every status that is described. */
export function statusesOf<Answer extends Worded>(
  description: DescribedAnswers<Answer>,
  { responses: { default: shared, ...others } }: DescribedOperation<Answer>,
): readonly number[] {
  const listed = shared === undefined ? [] : Object.keys(sharedWords(whole(description, shared).description));
  return [...new Set([...Object.keys(others), ...listed].map(Number))];
}

/** The words of an answer `default`, by status. */
function sharedWords(text: string): Readonly<Record<string, string>> {
  const [, ...parts] = text.split(/(?:^|; )(\d{3}): /);
  return Object.fromEntries(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? ""]] : [])));
}

/** What is described for a status, in its own words; null where it is not. */
export function answerOf<Answer extends Worded>(
  description: DescribedAnswers<Answer>,
  operation: DescribedOperation<Answer>,
  status: number,
): Answer | null {
  if (!statusesOf(description, operation).includes(status)) return null;
  const own = operation.responses[status];
  if (own !== undefined) return whole(description, own);
  const shared = operation.responses.default;
  if (shared === undefined) return null;
  const answer = whole(description, shared);
  return { ...answer, description: sharedWords(answer.description)[status] ?? "" };
}
