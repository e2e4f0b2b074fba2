// Prints the email addresses of the members of a team:
//   SERVICE_URL=https://auth.example.com TOKEN=… TEAM=acme node members.mjs
import { setTimeout } from 'node:timers/promises'

const { SERVICE_URL, TOKEN, TEAM } = process.env

async function read(url, attempt = 1) {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } })
  const { ok, status, headers } = response
  if (ok) return response.json()
  const isTemporary = status === 429 || status >= 500
  if (!isTemporary || attempt === 5) throw new Error(`${status} ${await response.text()}`)
  await setTimeout(1000 * (headers.get('Retry-After') ?? 2 ** (attempt - 1)))
  return read(url, attempt + 1)
}

let url = `${SERVICE_URL}/api/v1/teams/${TEAM}/members?per_page=100`
while (url) {
  const { data, links } = await read(url)
  for (const { email } of data) console.log(email)
  url = links.next
}
