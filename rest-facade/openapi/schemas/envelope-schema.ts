import { nullable, object } from '../components.ts'
import type { Components, JsonSchema } from '../components.ts'

// The schema of the envelope that `envelope.ts` builds.

const count = (description: string, minimum: number): JsonSchema => ({ type: 'integer', minimum, description })
const url = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description })

const pageLink = object('A link of the page navigation.', {
  url: nullable(url('URL of the page; null for a gap or if there is no such page.')),
  label: { type: 'string', description: 'Label of the link, as HTML.' },
  active: { type: 'boolean', description: 'Whether the link is to the current page.' },
})

const links = object('URLs of other pages.', {
  first: nullable(url('The first page.')),
  last: nullable(url('The last page.')),
  prev: nullable(url('The previous page, or null on the first.')),
  next: nullable(url('The next page, or null on the last page and beyond.')),
})

const meta = (link: JsonSchema) =>
  object('Position of the page in the whole list.', {
    current_page: count('Number of this page.', 1),
    from: nullable(count('Number of the first item in the slice, or null if it is empty.', 1)),
    last_page: count('Number of the last page.', 1),
    links: { type: 'array', items: link, description: 'Links of the page navigation: previous page, page numbers with gaps, next page.' },
    path: nullable({ type: 'string', description: 'Base path for paginator generated URLs.' }),
    per_page: count('Number of items shown per page.', 0),
    to: nullable(count('Number of the last item in the slice, or null if it is empty.', 1)),
    total: count('Total number of items being paginated.', 0),
  })

/** Returns the schema of the envelope of a page of `resource`. */
export function pageSchema(typeName: string, resource: JsonSchema, components: Components): JsonSchema {
  const data: JsonSchema = { type: 'array', items: resource, description: 'The resources of this page.' }
  const envelope = object(`One page of ${typeName}.`, {
    data,
    links: components.refer('PageLinks', links),
    meta: components.refer('PageMeta', meta(components.refer('PageLink', pageLink))),
  })
  return components.refer(`${typeName}Page`, envelope)
}

const feedLinks = object('URLs of other pages.', {
  first: nullable(url('Always null.')),
  last: nullable(url('Always null.')),
  prev: nullable(url('Always null.')),
  next: url('The events that follow, now or later.'),
})

const feedMeta = object('Position in the feed.', {
  path: { type: 'string', description: 'Base path for paginator generated URLs.' },
  per_page: count('Largest number of items of a page.', 1),
  next_cursor: { type: 'string', description: 'The value of `after` for the events that follow, now or later.' },
  prev_cursor: nullable({ type: 'string', description: 'Always null.' }),
})

/** Returns the schema of the envelope of a page of the feed of `resource`. */
export function feedSchema(typeName: string, resource: JsonSchema, components: Components): JsonSchema {
  const data: JsonSchema = { type: 'array', items: resource, description: 'The resources of this page, oldest first.' }
  const envelope = object(`One page of the feed of ${typeName}s.`, {
    data,
    links: components.refer('FeedLinks', feedLinks),
    meta: components.refer('FeedMeta', feedMeta),
  })
  return components.refer(`${typeName}Page`, envelope)
}
