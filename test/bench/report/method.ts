import { fullSizes } from '../data/sizes.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** How the benchmark measures, for docs/performance/README.md. */
export const methodText = `## Method

- **Programs.** Each runs in a process of its own with a pool of 10 connections to the same PostgreSQL and the same data; the service as in
  production, with \`LOG_LEVEL=warn\` and \`RATE_LIMIT_API=0\`. *limit-rows* is \`node:http\` with \`pg\` and one prepared
  statement for credential and rows; a second one reads the lines of invoices. *Express by hand* is a usual service with a prepared statement each for the token, the team with
  the role, the count and the page. The *bare endpoint* serves UserInfo, introspection,
  refresh, client credentials and JWT bearer with \`node:http\`, \`pg\` and jose. *limit-rows* and the service read kept totals
  of members and invoices; *Express by hand* counts the rows.
- **Checks.** All programs look the credential up on every request and check membership, scope, role and page. Before a request is timed, the
  bodies of all programs are compared member by member.
- **Data.** ${number(fullSizes.teams)} teams and ${number(fullSizes.users)} users, a team of 1,000 members and 1,000 invoices with three lines each, and a team of
  ${number(fullSizes.largeTeam)} members. Unless the row says otherwise, the caller has a personal token and one team.
  PATCH changes a different team on each connection.
- **Load.** One process sends one request after another on each connection. Programs take turns, and every second round reverses the order.
  Ratios are those of one round; p50 and p99 are those of the requests of all rounds. The load, the program and PostgreSQL share the cores: on
  few cores, requests per second depend on the CPU time of all three, but the CPU time per request does not.
- **CPU** is \`utime\` + \`stime\` of \`/proc/PID/stat\`, of the program and of the sessions of the database. **Memory** is \`VmRSS\` of a service
  process under every request in turn. **Start** is the time until the response to a request that needs a statement; the median of five starts.
  \`npm run bench\` exits with 1 if it is longer than its goal.
- **Two processes** each have as many connections as the single process that they are compared with, and are also measured with half as many:
  with fewer connections, a process finds fewer requests each time it wakes up, so each costs more CPU time.

## Running it

\`\`\`bash
npm run bench                                  # everything; writes this page, its chart and results.json
npm run bench -- --only members --rounds 5     # one row, writes nothing; the option may be repeated
npm run bench -- --quick                       # compares with the recorded ratios, in about a minute
npm run bench -- --quick --record              # records them
\`\`\`

The names of rows are in \`test/bench/requests/\`, and \`two-processes\`, \`memory\`, \`start-embedded\` and \`start-postgresql\`.
\`BENCH_DATABASE_URL\` names another PostgreSQL server on this machine. The quick form compares CPU time per request with that of *limit-rows*
or the *bare endpoint*, on less data, and the CPU time of a start with that of a Node process that loads Express and pg (\`--only start\`). It fails
if a ratio is more than a quarter below the one in \`results.json\`.
`
