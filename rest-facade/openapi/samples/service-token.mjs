// Prints an access token of an app that authenticates with a key (ES256):
//   SERVICE_URL=https://auth.example.com CLIENT_ID=… KEY_ID=… node service-token.mjs private-key.pem
import { randomUUID, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const [, , file] = process.argv
const { SERVICE_URL: service, CLIENT_ID: client, KEY_ID: kid } = process.env

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const seconds = Math.floor(Date.now() / 1000)
const claims = { iss: client, sub: client, aud: service, jti: randomUUID(), iat: seconds, exp: seconds + 60 }
const text = `${encode({ alg: 'ES256', kid })}.${encode(claims)}`
const key = { key: await readFile(file, 'utf8'), dsaEncoding: 'ieee-p1363' }
const signature = sign('sha256', Buffer.from(text), key).toString('base64url')

const response = await fetch(`${service}/api/oauth/token`, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${text}.${signature}`,
  }),
})
const body = await response.json()
if (!response.ok) throw new Error(body.error_description)
console.log(body.access_token)
