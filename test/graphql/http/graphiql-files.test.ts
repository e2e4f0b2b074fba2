import { expect, test } from 'vitest'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { url } = service

/** Returns the path of the folder with the files of GraphiQL. */
async function findFolder(): Promise<string> {
  const html = await (await fetch(`${url}/graphql/graphiql`)).text()
  return /data-folder="([^"]+)"/.exec(html)?.[1] ?? ''
}

test('the script that starts GraphiQL is revalidated at each visit', async () => {
  const start = await fetch(`${url}/graphql/start.js`)
  const again = await fetch(`${url}/graphql/start.js`, { headers: { 'If-None-Match': start.headers.get('etag') ?? '' } })
  expect([start.status, again.status]).toEqual([200, 304])
})

test.each(['graphiql.css', 'graphiql.js', 'worker-editor.js', 'worker-json.js', 'worker-graphql.js'])(
  'browsers keep the file %s of GraphiQL, which the build has compressed',
  async (file) => {
    const address = `${url}${await findFolder()}/${file}`
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { status, headers } = await fetch(address, { headers: { 'Accept-Encoding': encoding } })
      const fields = [headers.get('content-encoding') ?? 'identity', headers.get('cache-control'), headers.get('vary')]
      expect([status, ...fields]).toEqual([200, encoding, 'public, max-age=31536000, immutable', 'Accept-Encoding'])
    }
    expect((await fetch(`${address}.br`)).status).toBe(404)
  },
)
