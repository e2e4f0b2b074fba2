import { Button } from '../../web/components/forms/button.tsx'
import { Field, Select } from '../../web/components/forms/field.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { countFilters, readFilterValue, orderInAddress, readOrder, readPageSize, pageSizes, readFilter } from './address.ts'
import type { Column, Filter, Filters, TableDeclaration } from './declaration.ts'

type Controlled = Pick<TableDeclaration<never, string, Filters>, 'search' | 'filters' | 'columns' | 'sort' | 'isDescending'>

/**
 * The search, filters, order and page size of a table. On phones they are collapsed, with the number
 * of filters in use, and include the order, because there are no column headings. Renders nothing for a table that can be neither searched nor sorted.
 */
export const Controls = ({ table, ctx: { path, query } }: { table: Controlled; ctx: PageContext }) => {
  const { sort, isDescending } = readOrder(table, query)
  const orders = table.columns.flatMap(listOrders)
  const filterCount = countFilters(table, query)
  if (table.search === undefined && orders.length === 0) return null
  return (
    <>
      <details class="open-controls">
        <summary>Search, filter and sort {filterCount > 0 && <span class="badge info">{filterCount} active</span>}</summary>
      </details>
      <form method="get" action={path} class="filter controls" role="search">
        {table.search !== undefined && (
          <div class="search">
            <Field
              name="search"
              label="Search"
              type="search"
              placeholder={table.search}
              required={false}
              value={readFilter(query, 'search')}
            />
          </div>
        )}
        {Object.entries(table.filters)
          .filter(([name, { isFromLink = false }]) => !isFromLink || readFilter(query, name) !== '')
          .map(([name, filter]) => (
            <div>
              <FilterField name={name} filter={filter} value={readFilterValue(filter, query, name)} />
            </div>
          ))}
        {orders.length > 0 && (
          <div class="order">
            <Select name="sort" label="Sort by" options={orders} selected={orderInAddress(sort, isDescending)} />
          </div>
        )}
        <div class="size">
          <Select name="size" label="Rows" options={pageSizes.map((value) => ({ value, label: value }))} selected={readPageSize(query)} />
        </div>
        <Button kind="second">Apply</Button>
        {filterCount > 0 && (
          <a class="clear" href={path}>
            Clear
          </a>
        )}
      </form>
    </>
  )
}

const FilterField = ({ name, filter: { label, none = 'All', options, isDay }, value }: { name: string; filter: Filter; value: string }) =>
  options ? (
    <Select name={name} label={label} options={[{ value: '', label: none }, ...listChoices(options)]} selected={value} />
  ) : (
    <Field name={name} label={label} type={isDay ? 'date' : 'text'} required={false} autocomplete="off" value={value} />
  )

const listChoices = (options: Readonly<Record<string, string>>) => Object.entries(options).map(([value, label]) => ({ value, label }))

function listOrders({ sort, label, descendsFirst = false, orders }: Column<never, string>) {
  if (sort === undefined) return []
  const [ascending, descending] = orders ?? (descendsFirst ? ['oldest first', 'newest first'] : ['A to Z', 'Z to A'])
  const choices = [
    { value: orderInAddress(sort, false), label: `${label}, ${ascending}` },
    { value: orderInAddress(sort, true), label: `${label}, ${descending}` },
  ]
  return descendsFirst ? choices.toReversed() : choices
}
