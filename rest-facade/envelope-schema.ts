import { nullable, object } from './openapi-components.ts'
import type { Components, JsonSchema } from './openapi-components.ts'

// The paginated envelope of §2.7, as `envelope.ts` makes it.

const count = (description: string, minimum: number): JsonSchema => ({ type: 'integer', minimum, description })
const url = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description })

const pageLink = object('One of the links a page bar shows.', {
  url: nullable(url('Address of the page; null for a gap, and where there is no such page.')),
  label: { type: 'string', description: 'What the link is called, as HTML.' },
  active: { type: 'boolean', description: 'Whether it is the page at hand.' },
})

const links = object('Addresses of neighbouring pages.', {
  first: nullable(url('The first page.')),
  last: nullable(url('The last page.')),
  prev: nullable(url('The page before, or null on the first.')),
  next: nullable(url('The page after, or null on the last and beyond.')),
})

const meta = (link: JsonSchema) =>
  object('Where the page stands in the whole list.', {
    current_page: count('Number of this page.', 1),
    from: nullable(count('Number of the first item in the slice, or null where it is empty.', 1)),
    last_page: count('Number of the last page.', 1),
    links: { type: 'array', items: link, description: 'Links of a page bar: previous, pages with gaps, next.' },
    path: nullable({ type: 'string', description: 'Base path for paginator generated URLs.' }),
    per_page: count('Number of items shown per page.', 0),
    to: nullable(count('Number of the last item in the slice, or null where it is empty.', 1)),
    total: count('Total number of items being paginated.', 0),
  })

/** The envelope of a page of `resource`. */
export function pageSchema(typeName: string, resource: JsonSchema, components: Components): JsonSchema {
  const data: JsonSchema = { type: 'array', items: resource, description: 'The resources of this page.' }
  const envelope = object(`One page of ${typeName}.`, {
    data,
    links: components.refer('PageLinks', links),
    meta: components.refer('PageMeta', meta(components.refer('PageLink', pageLink))),
  })
  return components.refer(`${typeName}Page`, envelope)
}
