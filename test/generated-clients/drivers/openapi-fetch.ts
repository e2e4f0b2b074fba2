// Drives a service through openapi-fetch, with the types that openapi-typescript wrote.
import createClient from 'openapi-fetch'
import type { paths } from './schema'

const { TEAM: teamSlug = '', API_URL = '', TOKEN = '', INVITED = '', ...env } = process.env
const path = { teamSlug }
const connect = (token: string, baseUrl = API_URL) => createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } })
const client = connect(TOKEN)

const report = (step: string, results: object) => console.log(JSON.stringify({ step, ...results }))
const reportError = (step: string, { error, response }: { error?: { code: string } | undefined; response: Response }, more = {}) =>
  report(step, { status: response.status, code: error?.code, ...more })

const emails: string[] = []
for (let page = 1, isLast = false; !isLast; page++) {
  const { data } = await client.GET('/v1/teams/{teamSlug}/members', { params: { path, query: { page, per_page: 2 } } })
  emails.push(...(data?.data ?? []).map(({ email }) => email))
  isLast = typeof data?.links.next !== 'string'
}
report('pages', { emails })

const { data: invoices } = await client.GET('/v1/teams/{teamSlug}/invoices', {
  params: { path, query: { sort: 'asc', 'expand[]': ['lines'] } },
})
const [invoice] = invoices?.data ?? []
report('expand', { lines: invoice?.lines?.map(({ description }) => description), total: invoice?.total })
const filtered = await client.GET('/v1/teams/{teamSlug}/invoices', { params: { path, query: { app_id: 'deploy' } } })
report('filter', { numbers: filtered.data?.data.map(({ number }) => number) })

reportError('unauthenticated', await connect('unknown').GET('/v1/teams/{teamSlug}', { params: { path } }))
reportError('forbidden', await connect(env.LIMITED_SCOPE_TOKEN ?? '').GET('/v1/teams/{teamSlug}/members', { params: { path } }))
reportError('not found', await client.GET('/v1/teams/{teamSlug}/members/{userId}', { params: { path: { teamSlug, userId: 'unknown' } } }))
const invalid = await client.PATCH('/v1/teams/{teamSlug}', { params: { path }, body: { name: ' ' } })
reportError('invalid', invalid, { errors: invalid.error && 'errors' in invalid.error && invalid.error.errors })

const { response } = await client.GET('/v1/teams/{teamSlug}', { params: { path } })
const update = { params: { path, header: { 'If-Match': response.headers.get('ETag') ?? '' } }, body: { name: 'Renamed' } }
report('update', { name: (await client.PATCH('/v1/teams/{teamSlug}', update)).data?.name })
reportError('conflict', await client.PATCH('/v1/teams/{teamSlug}', update))

const invite = () =>
  client.POST('/v1/teams/{teamSlug}/invitations', {
    params: { path, header: { 'Idempotency-Key': 'openapi-fetch' } },
    body: { email: INVITED, role: 'member' },
  })
const [first, second] = [await invite(), await invite()]
report('repeat', {
  statuses: [first.response.status, second.response.status],
  replayed: second.response.headers.get('Idempotency-Replayed'),
})

const limited = connect(env.RATE_LIMITED_TOKEN ?? '', env.RATE_LIMITED_URL)
await limited.GET('/v1/teams')
const refused = await limited.GET('/v1/teams')
reportError('rate limit', refused, { seconds: Number(refused.response.headers.get('Retry-After')) })
