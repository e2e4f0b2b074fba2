import { expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { describedParts } from '../support/graphql/described-parts.ts'
import { developerWords, wrongWordsIn } from '../support/words/forbidden-words.ts'

/** Where the words of the contract and those of the pages meet, so that both are said. */
const meetings = new Set(['TeamConnectedApp', 'components.schemas.TeamConnectedApp', 'tags.1'])

/** The text without code and URLs, which have the names of the interface. */
const proseOf = (text: string) => text.replace(/```.*?```|`[^`]*`|<https?:[^>]*>|https?:\S+/gs, '')

const wrongIn = (name: string, text: string | null | undefined) =>
  wrongWordsIn(proseOf(text ?? ''), developerWords).map((wrong) => `${name}: ${wrong}`)

test('the descriptions of the GraphQL schema have one word for one thing', () => {
  const parts = describedParts().filter(({ name }) => !meetings.has(name))
  expect(parts.length).toBeGreaterThan(800)
  expect(parts.flatMap(({ name, description }) => wrongIn(name, description))).toEqual([])
})

/** The texts of a JSON document, with their paths. */
function textsIn(value: unknown, path: readonly string[] = []): { name: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const name = [...path, key]
    const isText = typeof member === 'string' && ['description', 'summary', 'title'].includes(key)
    return isText ? [{ name: path.join('.'), text: member }] : textsIn(member, name)
  })
}

test('the OpenAPI document has one word for one thing', () => {
  const texts = textsIn(openApiDocument({ publicUrl: 'https://accounts.example' })).filter(({ name }) => !meetings.has(name))
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.flatMap(({ name, text }) => wrongIn(name, text))).toEqual([])
})
