import type { ComponentChildren } from 'preact'

/** Returns a text such as `No tokens`, `1 token` or `1,200 tokens`. */
export const formatTotal = (total: number, [one, many]: readonly [string, string]): string =>
  `${total === 0 ? 'No' : total.toLocaleString('en')} ${total === 1 ? one : many}`

interface ListCardProps {
  id: string
  total: number
  /** Noun of an entry, in the singular and the plural. */
  noun: readonly [string, string]
  /** Button on the line of the heading. */
  action?: ComponentChildren
  /** What an empty list shows in place of its entries. */
  empty: ComponentChildren
  children?: ComponentChildren
}

/** A card with a list of entries. An empty list looks like an empty table (account-site/table/data-table.tsx). */
export const ListCard = ({ id, total, noun, action, empty, children }: ListCardProps) => (
  <section aria-labelledby={`${id}-title`}>
    <div class="heading">
      <h2 id={`${id}-title`}>{formatTotal(total, noun)}</h2>
      {action}
    </div>
    {total === 0 ? (
      <p class="empty">{empty}</p>
    ) : (
      <ul class="entries" id={id}>
        {children}
      </ul>
    )}
  </section>
)
