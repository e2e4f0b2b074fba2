import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const internals = 'src/oidc/provider/provider-internals.ts'
const isInternals = (file: string) => /^src\/oidc\/provider\/(?:provider|resource|token|grant|device)-internals\.ts$/.test(file)

/** Uses of undocumented parts of oidc-provider: undeclared properties, private methods, prototypes, internal class names. */
const undocumentedPatterns = [
  /\bcreateContext\(/,
  /\.prototype\b/,
  /\bcompareClientSecret\b/,
  /\bProvider\.ctx\b/,
  /\bprovider\.request\b/,
  /\boldId\b/,
  /\.jti = /,
  /\bresetIdentifier\(/,
  /\.backchannelLogout\(/,
  /\.entities\b/,
  /\bsession\??\.state\b/,
  /\.persist\(/,
  /\binteraction\.(?:prompt|session) = /,
  /'(?:NoCodeError|NotFoundError|ExpiredError|AbortedError)'/,
  /\bgrantIdFor\(/,
  /oidc-provider\/lib\b/,
  /\bas unknown as\b/,
]

const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

test('only src/oidc imports oidc-provider', () => {
  const importers = sources.filter(({ text }) => /from 'oidc-provider'/.test(text)).map(({ file }) => file)
  expect(importers).toContain(internals)
  expect(importers.filter((file) => !file.startsWith('src/oidc/'))).toEqual([])
})

test('only modules of internals use undocumented parts of oidc-provider', () => {
  const uses = sources
    .filter(({ file }) => file.startsWith('src/oidc/') && !isInternals(file))
    .flatMap(({ file, text }) =>
      undocumentedPatterns.filter((pattern) => pattern.test(text)).map((pattern) => `${file}: ${pattern.source}`),
    )
  expect(uses).toEqual([])
})

test('only the storage adapters look up the request in progress, because oidc-provider calls them without a context', () => {
  const users = sources.filter(({ text }) => /\brequestInProgress\(/.test(text)).map(({ file }) => file)
  expect(users).toContain('src/oidc/storage/model-adapter.ts')
  expect(users.filter((file) => !file.startsWith('src/oidc/storage/'))).toEqual([])
})

test('src/oidc/provider/provider-internals.ts names the installed version of oidc-provider', () => {
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(root, 'node_modules/oidc-provider/package.json'), 'utf8'))
  expect(readFileSync(path.join(root, internals), 'utf8')).toContain(`oidc-provider ${version} `)
})
