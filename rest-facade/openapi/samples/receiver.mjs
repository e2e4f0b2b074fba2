// WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET.')
const toleranceSeconds = 300

/** Whether a delivery is signed with the secret and recent. `body` is as it was received. */
function verify(headers, body) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  // The age is not a number without a timestamp.
  if (!(age <= toleranceSeconds)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
  const expected = Buffer.from(`v1,${mac.digest('base64')}`)
  // After a rotation, there is a signature for each of the two secrets.
  return (headers['webhook-signature'] ?? '').split(' ').some((signature) => {
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  if (!verify(request.headers, body)) return response.writeHead(400).end()
  const event = JSON.parse(body)
  // An event can be delivered twice: ignore an id that you know.
  console.log(event.id, event.type)
  response.writeHead(204).end()
}).listen(process.env.PORT ?? 4000)
