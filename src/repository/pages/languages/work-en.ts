// English texts of the page of personal work (R44): tasks, records, requests.
const { format: number } = new Intl.NumberFormat("en-GB");

export const workEn = {
  heading: "My work",
  tabs: { tasks: "Tasks", records: "My records", withdrawn: "Withdrawn", requests: "My requests" },
  count: (label: string, count: number) => (count === 0 ? label : `${label} (${number(count)})`),
  find: "Find in my records",
  search: "Search",
  sort: "Order",
  sorts: { "updated-desc": "Last changed first", newest: "Newest first", oldest: "Oldest first" },
  state: "State",
  filters: { "": "All", false: "Not published", true: "Published" },
  states: {
    draft: "Draft",
    in_review: "In review",
    declined: "Returned",
    expired: "Expired",
    published: "Published",
    new_version_draft: "New version in preparation",
  },
  title: "Title",
  changed: "Last changed",
  actions: "What you can do",
  open: "Open",
  noRecords: "You have no records yet.",
  nothingFound: "None of your records has all of these words.",
  noRequests: "You have made no requests.",
  clear: "Show all my records",
};
