import { callers, fullSizes } from '../data/sizes.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** How the benchmark measures, for docs/performance/README.md. */
export const methodText = `## Method

- **Programs.** Each runs in a process of its own with a pool of 10 connections to the same PostgreSQL and the same data. The
  service runs as in production, with \`NODE_ENV=production\`, \`LOG_LEVEL=warn\` and \`RATE_LIMIT_API=0\`. *limit-rows* is
  \`node:http\` with \`pg\` and prepared statements: one for the credential and the team, one for the rows, and
  \`JSON.stringify\`. *Express by hand* is a usual service with Express and \`pg\`: one prepared statement each for the token, the team with
  the role, the count and the page, \`express.json()\`, and \`response.json\` with its ETag. *Express, tuned* has the statements
  of *limit-rows* and neither body parser nor ETag. The *bare endpoint* serves UserInfo, introspection and refresh with
  \`node:http\`, \`pg\` and jose: the same checks, the same rows written, the same signature.
  The hand-written programs count the members and invoices of a team with \`count(*)\`; the service keeps these totals.
- **Checks.** All programs look the credential up on every request and check membership, scope, role and page. Before a request is
  timed, the bodies of all programs are compared member by member; those of PATCH and refresh, which differ from request to
  request, must have the same members with the same types.
- **Data.** ${number(fullSizes.teams)} teams and ${number(fullSizes.users)} users, a team of 1,000 members and 1,000 invoices with three lines each, and a team of
  ${number(fullSizes.largeTeam)} members. Unless the row says otherwise, the caller has a personal token and one team; \`GET /teams\` lists ${callers.threeTeams.teams} teams.
  PATCH changes a different team on each connection, so that no connection waits for the row lock of another one.
- **Load.** One process sends one request after another on each connection. Programs take turns, and every second round
  reverses the order, so that other activity on the machine affects all of them alike. Ratios are those of one round; p50 and p99 are those of the
  requests of all rounds, since one pause of the machine delays more than a hundredth of the requests of one round. A run has at
  least 1,000 requests. The four rows of growth have four times as many rounds, a quarter as long, because their goals are close to 1.
- **CPU** is \`utime\` + \`stime\` of \`/proc/PID/stat\`, of the program and of the sessions of the database. **Memory** is \`VmRSS\` of a
  service process under every request in turn. **Start** is the time from the start of the process to the response to a
  request with an unknown token, which needs a statement; the median of five starts.
- **Two processes** each have as many connections as the single process that they are compared with, and are also measured with half as
  many. With fewer connections, a process finds fewer requests and responses of PostgreSQL each time it wakes up, so each costs more CPU time.
  On a machine with few cores two processes of any program need more CPU time per request than one, so the goal is a ratio to
  *limit-rows*, whose processes share only the machine.

The load, the program and PostgreSQL share the cores. On few cores requests per second therefore depend on the CPU time of all
three; the CPU time per request does not.

## Running it

\`\`\`bash
npm run bench                                  # everything; writes this page, its chart and results.json
npm run bench -- --only members --rounds 5     # one row, writes nothing; the option may be repeated
npm run bench -- --quick                       # compares with the recorded ratios, in about a minute
npm run bench -- --quick --record              # records them
\`\`\`

The names of rows are in \`test/bench/requests/\`, and \`two-processes\`, \`memory\`, \`start-embedded\` and \`start-postgresql\`.
\`--seconds\` sets the length of a run, and \`--json\` prints the result as JSON. \`BENCH_DATABASE_URL\` names another PostgreSQL
server on this machine.

The quick form compares CPU time per request with that of *limit-rows* or the *bare endpoint*, on less data. It fails if a
ratio is more than a quarter below the one in \`results.json\`, after it has measured that request again for longer. The continuous
integration runs it.
`
