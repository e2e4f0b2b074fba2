import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { SortDirectionType } from '../builder/pagination.ts'
import type { SortDirection } from '../builder/pagination.ts'

/** The property and direction by which a list is sorted. */
export interface OrderBy<Order extends string> {
  field: Order
  direction: SortDirection
}

/**
 * Creates the input type of a list's `orderBy` argument, `{ field: NAME, direction: ASC }`, with the enum `<name>Field`. `orders` describes
 * each order.
 */
export function orderByType<Order extends string>(name: string, resources: string, orders: Record<Order, string>) {
  const field = enumType(
    `${name}Field`,
    `Properties by which lists of ${resources} can be sorted. Resources without a value come last.`,
    orders,
  )
  return builder.inputType(name, {
    description: `The order of a list of ${resources}. Those with the same value are in the order of their identifiers, in the same direction.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'The property to sort by.' }),
      direction: t.field({ type: SortDirectionType, required: true, description: 'The direction of the order.' }),
    }),
  })
}
