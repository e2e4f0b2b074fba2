// Gives the token in a file a new value:
//   SERVICE_URL=https://auth.example.com node rotate-token.mjs /run/secrets/token
import { readFile, rename, writeFile } from 'node:fs/promises'

const [, , file] = process.argv
const token = (await readFile(file, 'utf8')).trim()

async function graphql(query, variables) {
  const response = await fetch(`${process.env.SERVICE_URL}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  return data
}

const { viewer } = await graphql('{ viewer { tokenId } }')
// The old value works for another hour, for programs that have not read the file again.
const rotation = 'mutation ($id: ID!) { rotateToken(input: { id: $id, overlapSeconds: 3600 }) { value errors { message } } }'
const { rotateToken } = await graphql(rotation, { id: viewer.tokenId })
if (!rotateToken.value) throw new Error(rotateToken.errors[0].message)
// At once, so that no program reads half of the value.
await writeFile(`${file}.new`, rotateToken.value, { mode: 0o600 })
await rename(`${file}.new`, file)
