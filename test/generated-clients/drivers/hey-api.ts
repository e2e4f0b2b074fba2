// Drives a service through the client that Hey API wrote for TypeScript.
import {
  v1TeamsIndex,
  v1TeamsInvitationsStore,
  v1TeamsInvoicesIndex,
  v1TeamsMembersIndex,
  v1TeamsMembersShow,
  v1TeamsShow,
  v1TeamsUpdate,
} from './client'
import { createClient, createConfig } from './client/client'

const { TEAM: teamSlug = '', API_URL = '', TOKEN = '', INVITED = '', ...env } = process.env
const path = { teamSlug }
const connect = (token: string, baseUrl = API_URL) => createClient(createConfig({ baseUrl, auth: token }))
const client = connect(TOKEN)

const report = (step: string, results: object) => console.log(JSON.stringify({ step, ...results }))
const reportError = (step: string, { error, response }: { error?: { code: string } | undefined; response?: Response }, more = {}) =>
  report(step, { status: response?.status, code: error?.code, ...more })

const emails: string[] = []
for (let page = 1, isLast = false; !isLast; page++) {
  const result = await v1TeamsMembersIndex({ client, path, query: { page, per_page: 2 }, throwOnError: true })
  emails.push(...result.data.data.map(({ email }) => email))
  isLast = result.data.links.next === null
}
report('pages', { emails })

const invoices = await v1TeamsInvoicesIndex({ client, path, query: { sort: 'asc', 'expand[]': ['lines'] }, throwOnError: true })
const [invoice] = invoices.data.data
report('expand', { lines: invoice?.lines?.map(({ description }) => description), total: invoice?.total })
const filtered = await v1TeamsInvoicesIndex({ client, path, query: { app_id: 'deploy' }, throwOnError: true })
report('filter', { numbers: filtered.data.data.map(({ number }) => number) })

reportError('unauthenticated', await v1TeamsShow({ client: connect('unknown'), path }))
reportError('forbidden', await v1TeamsMembersIndex({ client: connect(env.LIMITED_SCOPE_TOKEN ?? ''), path }))
reportError('not found', await v1TeamsMembersShow({ client, path: { teamSlug, userId: 'unknown' } }))
const invalid = await v1TeamsUpdate({ client, path, body: { name: ' ' } })
reportError('invalid', invalid, { errors: invalid.error && 'errors' in invalid.error && invalid.error.errors })

const { response } = await v1TeamsShow({ client, path })
const update = { client, path, body: { name: 'Renamed' }, headers: { 'If-Match': response?.headers.get('ETag') ?? '' } }
report('update', { name: (await v1TeamsUpdate(update)).data?.name })
reportError('conflict', await v1TeamsUpdate(update))

const invite = () =>
  v1TeamsInvitationsStore({ client, path, body: { email: INVITED, role: 'member' }, headers: { 'Idempotency-Key': 'hey-api' } })
const [first, second] = [await invite(), await invite()]
report('repeat', {
  statuses: [first.response?.status, second.response?.status],
  replayed: second.response?.headers.get('Idempotency-Replayed'),
})

const limited = connect(env.RATE_LIMITED_TOKEN ?? '', env.RATE_LIMITED_URL)
await v1TeamsIndex({ client: limited })
const refused = await v1TeamsIndex({ client: limited })
reportError('rate limit', refused, { seconds: Number(refused.response?.headers.get('Retry-After')) })
