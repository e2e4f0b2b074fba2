import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

// Citations and links are checked like code: a page or heading that is renamed fails here, not with a reader.

const root = path.resolve(import.meta.dirname, '..')
const ignoredFolders = new Set(['node_modules', 'generated', 'data', 'dist', 'coverage', '.git'])
const citingFiles = /\.(?:ts|tsx|prisma|sql|md|css|graphql)$/

const listFiles = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : listFiles(name)
    return citingFiles.test(entry.name) ? [name] : []
  })

const listFolders = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted()

const texts = listFiles('.').map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
const pages = texts.filter(({ file }) => file.endsWith('.md')).map(({ file, text }) => ({ file, text: withoutCode(text) }))
const anchorsByFile = new Map(pages.map(({ file, text }) => [file, anchorsOf(text)]))

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[^]*?^```/gm, '')
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of markdown.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/** What is wrong with a reference, or null. `target` is a path from the root, with or without a heading. */
function brokenReference(file: string, target: string): string | null {
  const [name = '', anchor] = target.split('#')
  if (!existsSync(path.join(root, name))) return `${file}: ${name} does not exist`
  if (anchor === undefined || anchorsByFile.get(name)?.has(anchor)) return null
  return `${file}: ${name} has no heading #${anchor}`
}

describe('the documentation', () => {
  test('has every page and heading that a file cites', () => {
    const citations = texts.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g), ([target]) => brokenReference(file, target)),
    )
    expect(citations.length).toBeGreaterThan(20)
    expect(citations.filter((broken) => broken !== null)).toEqual([])
  })

  test('has a row for each folder of tests and each folder of helpers', () => {
    const text = readFileSync(path.join(root, 'test/README.md'), 'utf8')
    const rows = text.split('\n').filter((line) => line.startsWith('| `'))
    const namesIn = (cell = '') => Array.from(cell.matchAll(/([\w-]+)\//g), ([, name = '']) => name).toSorted()
    expect(namesIn(rows.map((row) => row.split('|')[1]).join(' '))).toEqual(listFolders('test'))
    expect(namesIn(rows.find((row) => row.startsWith('| `support/`'))?.split('|')[2])).toEqual(listFolders('test/support'))
  })

  test('has the target of every relative link', () => {
    const links = pages.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => ({ file, target })).filter(
        ({ target }) => !/^[a-z]+:/.test(target),
      ),
    )
    const broken = links.map(({ file, target }) =>
      brokenReference(file, target.startsWith('#') ? file + target : path.join(path.dirname(file), target)),
    )
    expect(broken.length).toBeGreaterThan(20)
    expect(broken.filter((each) => each !== null)).toEqual([])
  })

  test('names only files and folders that exist', () => {
    const named = pages
      .filter(({ file }) => file !== 'CHANGELOG.md')
      .flatMap(({ file, text }) =>
        Array.from(text.matchAll(/`((?:prisma|schema|rest-facade|src|test|docs|build)\/[\w./-]*)`/g), ([, target = '']) => ({
          file,
          target,
        })),
      )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter(({ target }) => !existsSync(path.join(root, target)))).toEqual([])
  })

  test('names only files that exist in the steps of a request', () => {
    const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
    const steps = Array.from(page.matchAll(/^ ?\d+ {2}(\S+)/gm), ([, file = '']) => file)
    expect(steps).toHaveLength(10)
    expect(steps.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('names only files that exist in comments', () => {
    const named = texts.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/^\s*(?:\/\/|\/?\*).*$/gm), ([line]) => line)
        .flatMap(
          (line) =>
            line.match(/(?<![\w/.-])(?:prisma|schema|rest-facade|src|test|build)\/[\w./-]+\.(?:tsx?|md|graphql|prisma|json)\b/g) ?? [],
        )
        .map((target) => ({ file, target })),
    )
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(({ target }) => !existsSync(path.join(root, target)))).toEqual([])
  })

  test('cites clauses of public standards alone', () => {
    const unknown = texts
      .filter(({ file }) => file !== ownFile)
      .flatMap(({ file, text }) => {
        // A citation may continue on the next line of a comment.
        const unwrapped = text.replaceAll(/\s*\n\s*(?:\*|\/\/\/?|--|#)?\s*/g, ' ')
        return Array.from(unwrapped.matchAll(/§/g), ({ index }) => unwrapped.slice(Math.max(index - 60, 0), index + 8))
          .filter((context) => !standardClause.test(context.slice(0, context.lastIndexOf('§'))))
          .map((context) => `${file}: ${context}`)
      })
    expect(unknown).toEqual([])
  })
})

/** Text before a section sign that names a public standard; further clauses of the same one may stand between. */
const standardClause =
  /(?:RFC \d+(?:bis)?|RFC 6265bis|OpenID Connect [A-Z][\w-]*(?: [A-Z0-9][\w.-]*)*|WebAuthn(?: Level \d)?|SAML 2\.0 [A-Z]\w+|XML 1\.0|XML Signature 1\.1|NIST SP [\w-]+|Fetch|GraphQL)(?:,? (?:and )?§[\d.]+)*(?:,| and|,? )? *$/

const ownFile = 'test/documentation.test.ts'
