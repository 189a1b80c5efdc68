// Tasks over HTTP (R44): what waits for the caller's decision, and several decided at once.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../../src/auth/account.ts";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import { REQUEST_TYPES } from "../../../src/model/rights/request-rules.ts";
import type { TaskPage, TaskRequest } from "../../../src/repository/notices/tasks.ts";
import { type DecideTasks, TASK_DECISION, TaskOutcomesShape } from "../../../src/repository/requests/task-decisions.ts";
import { FaultList, FieldFault } from "../../../src/shared/field-faults.ts";
import { most } from "../../../src/shared/limits.ts";
import { MomentShape, manyOf, wordOf } from "../../../src/shared/shapes.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { recordGroup } from "../record-dialect.ts";
import { REQUEST_TAG } from "./requests.ts";

type Services = {
  readonly tasksOf: (viewer: Viewer, asked: TaskRequest) => Promise<TaskPage>;
  readonly decideTasks: DecideTasks;
};

const GROUP = recordGroup({ ...REQUEST_TAG, name: "tasks", pathParameters: {} });
const TASKS_MOST = most("tasksAtOnce");

const TaskListShape = Type.Object(
  {
    tasks: manyOf(
      Type.Object(
        {
          id: Type.String({ description: "`request:UUID` or `activity:ID`" }),
          type: wordOf(["activity", ...REQUEST_TYPES]),
          title: Type.String(),
          since: MomentShape,
          holder: Type.Union([Type.String({ description: "Id of the account that took it" }), Type.Null()]),
        },
        { $id: "Task" },
      ),
    ),
    total: Type.Integer(),
    next: Type.Union([Type.String({ description: "`after` of the next page" }), Type.Null()]),
  },
  { $id: "TaskList" },
);

const TASK_QUERY: QueryReader<TaskRequest> = {
  parameters: [
    { name: "after", description: "`next` of the page before", schema: Type.String() },
    { name: "size", description: "Tasks on the page", schema: Type.Integer({ minimum: 1, maximum: TASKS_MOST }) },
  ],
  read(sent) {
    const faults = new FaultList();
    const size = sent.get("size") ?? "25";
    if (!/^[1-9]\d{0,2}$/.test(size) || Number(size) > TASKS_MOST) {
      faults.add(new FieldFault("size", `Must be between 1 and ${TASKS_MOST}.`));
    }
    faults.end();
    return { after: sent.get("after"), limit: Number(size) };
  },
};

const { get, post } = endpointsOf<Services>();

const TASK_ENDPOINTS = [
  get("/user/tasks", {
    id: "listTasks",
    summary: "What waits for the caller's decision",
    description: "Oldest first: requests that the caller may accept, and activities.",
    query: TASK_QUERY,
    answer: { status: 200, description: "The page", schema: TaskListShape },
    run: async ({ tasksOf }, { viewer, query }) => taskListJson(await tasksOf(viewer, query())),
  }),
  post("/user/tasks/decisions", {
    id: "decideTasks",
    summary: "Decide about several tasks",
    description: `At most ${TASKS_MOST}, of one community or of one step of one workflow. Each is a separate change: some may be refused while others are done.`,
    body: TASK_DECISION,
    answer: { status: 200, description: "What became of each", schema: TaskOutcomesShape },
    run: async ({ decideTasks }, { viewer, body }) => ({ outcomes: [...(await decideTasks(viewer, body))] }),
  }),
];

const taskListJson = ({ tasks, total, next }: TaskPage): Static<typeof TaskListShape> => ({
  tasks: tasks.map(({ id, kind, title, since, holder }) => ({
    ...{ id, type: kind, title, since },
    holder: holder === null ? null : String(holder),
  })),
  total,
  next,
});

export const taskPlugin = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, TASK_ENDPOINTS, services, guard);
