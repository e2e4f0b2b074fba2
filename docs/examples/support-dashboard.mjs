// A dashboard for support: it lists the failing webhooks and the failed emails, and sends an email again. Start it with a personal token of
// a user with the role `support`, with the scopes `acct:staff:read` and `acct:staff:write`:
//   SERVICE_URL=https://accounts.example TOKEN=pat_… node support-dashboard.mjs
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { SERVICE_URL, TOKEN, PORT = '3000' } = process.env

async function graphql(query, variables) {
  const response = await fetch(`${SERVICE_URL}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors.map(({ message }) => message).join(' '))
  return data
}

const overview = `{ staff {
  serviceState { failingWebhooks { teamSlug host failingSince } }
  mails(state: FAILED) { nodes { mailId kind recipient lastError } }
} }`

const retry = `mutation ($id: ID!, $reason: String!) { retryMail(input: { id: $id, reason: $reason }) { kind } }`

const escape = (value) => String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const webhookRow = ({ teamSlug, host, failingSince }) =>
  `<li>${escape(teamSlug ?? 'operator')}: ${escape(host)} since ${escape(failingSince)}</li>`

const mailRow = ({ mailId, kind, recipient, lastError }) =>
  `<li><form method="post">${escape(kind)} to ${escape(recipient)}: ${escape(lastError)}
     <input type="hidden" name="id" value="${escape(mailId)}">
     <input name="reason" required placeholder="Reason"><button>Send again</button></form></li>`

async function page() {
  const { staff } = await graphql(overview)
  return `<!doctype html><title>Support</title><h1>Failing webhooks</h1>
    <ul>${staff.serviceState.failingWebhooks.map(webhookRow).join('')}</ul>
    <h1>Failed emails</h1><ul>${staff.mails.nodes.map(mailRow).join('')}</ul>`
}

const server = createServer(async (request, response) => {
  try {
    // Another site must not be able to submit the form.
    if (request.method === 'POST' && request.headers['sec-fetch-site'] !== 'same-origin') return response.writeHead(403).end()
    if (request.method === 'POST') {
      await graphql(retry, Object.fromEntries(new URLSearchParams(await text(request))))
      return response.writeHead(303, { Location: '/' }).end()
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(await page())
  } catch (error) {
    response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' }).end(error.message)
  }
})
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
