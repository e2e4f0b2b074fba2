import { Address } from '../../web/components/address.tsx'
import { Button } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { ListCard } from '../../web/components/lists/list-card.tsx'
import { staffPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { StaffSearchDocument } from '../generated/operations.ts'
import { resultPath } from './staff-paths.ts'
import type { SearchResult } from './staff-paths.ts'

const kindLabels: Readonly<Record<SearchResult['kind'], string>> = {
  USER: 'User',
  TEAM: 'Team',
  CLIENT: 'App',
  INVOICE: 'Invoice',
  TOKEN: 'Token',
  AUDIT_ENTRY: 'Audit log',
}

/** The searched text of the address. Shorter texts than two characters would match too much. */
const readText = ({ query }: PageContext) => {
  const text = Array.from((query.get('q') ?? '').toWellFormed().replaceAll('\0', '').trim())
    .slice(0, 100)
    .join('')
  return text.length >= 2 ? text : ''
}

/** The start page of staff: one search for everything that a user can mention. */
export const staffSearch = page({
  path: staffPath,
  title: 'Support desk',
  nav: { group: 'staff', icon: 'search', order: 10, label: 'Search' },
  document: StaffSearchDocument,
  variables(ctx) {
    const text = readText(ctx)
    return { text, isSearched: text !== '' }
  },
  view({ staff: { search } }, ctx) {
    const text = readText(ctx)
    return (
      <>
        <section>
          <form method="get" action={staffPath} role="search">
            <Field
              name="q"
              label="Search"
              type="search"
              value={text}
              hasFocus={text === ''}
              hint="A name, email address, team, app, invoice number, token hint or identifier. Do not enter a token itself."
            />
            <div class="buttons">
              <Button>Search</Button>
            </div>
          </form>
        </section>
        {search && (
          <ListCard
            id="results"
            total={search.length}
            noun={['result', 'results']}
            empty="Try the beginning of a name, or a whole identifier."
          >
            {search.map((result) => (
              <Result result={result} />
            ))}
          </ListCard>
        )}
      </>
    )
  },
})

const Result = ({ result }: { result: SearchResult }) => {
  const path = resultPath(result)
  const name = <Address>{result.name}</Address>
  return (
    <li>
      <div>
        <strong>{path === null ? name : <a href={path}>{name}</a>}</strong>
        {result.detail !== null && (
          <span class="about">
            <Address>{result.detail}</Address>
          </span>
        )}
      </div>
      <span class="badge">{kindLabels[result.kind]}</span>
    </li>
  )
}
