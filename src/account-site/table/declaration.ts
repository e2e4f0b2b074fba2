import type { ComponentChildren } from 'preact'
import type { PageContext } from '../framework/page-context.ts'

/** A filter in the address. With `options` it is a drop-down list, otherwise a day or a text. */
export interface Filter {
  label: string
  /** The label of no choice; default `All`. */
  none?: string
  /** Labels by value. */
  options?: Readonly<Record<string, string>>
  isDay?: boolean
  /** Whether the user is offered it. Without it everyone is who sees the table. */
  isAllowed?(ctx: PageContext): boolean
}
export type Filters = Readonly<Record<string, Filter>>

/**
 * Where a phone shows a column. A row is two lines high: its name, the columns `name` at the end of the same line, and below them its
 * state. The details, and the menu of the row, follow when the row is opened.
 * - `labelled state`: with the label of the column, for values that are not clear alone: “Expires in 3 days”.
 */
export type PhonePlace = 'name' | 'state' | 'labelled state' | 'detail'

export interface Column<Row, Sort extends string> {
  label: string
  phone: PhonePlace
  /** The order of the list by this column. Without it the table cannot be sorted by the column. */
  sort?: Sort
  /** Whether its first click sorts the highest or newest value first. */
  descendsFirst?: boolean
  /** The names of its orders. Default: newest and oldest first where the newest are first, A to Z otherwise. */
  orders?: readonly [ascending: string, descending: string]
  /** `amount`: a number, aligned to the right. */
  kind?: 'amount'
  /** Whether the user may see its values. Without it everyone may who sees the table. */
  isAllowed?(ctx: PageContext): boolean
  cell(row: Row, ctx: PageContext): ComponentChildren
}

/** A table of the account site. Its address, controls, rows and cards are derived from this declaration. */
export interface TableDeclaration<Row, Sort extends string, Filtered extends Filters> {
  /** What it lists, for its counts. */
  noun: readonly [one: string, many: string]
  /** The name of a row in labels of its menu and its checkbox. */
  nameOf(row: Row): string
  /** What the search box finds. Without it there is no search. */
  search?: string
  /** By the name of the query's variable and of the parameter in the address. */
  filters: Filtered
  /** The first column names the row. */
  columns: readonly Column<Row, Sort>[]
  /** The order without a choice in the address. */
  sort: NoInfer<Sort>
  isDescending?: boolean
  /** What to do while the list is empty. */
  empty: ComponentChildren
  /** The content of a row's menu; null for a row without one. */
  menu?(row: Row, ctx: PageContext): ComponentChildren
  /** Checkboxes, which belong to a form of the page. */
  selection?: Selection<Row>
}

export interface Selection<Row> {
  /** Id of the form element. */
  form: string
  /** The value of a row; null for a row that cannot be selected. */
  valueOf(row: Row, ctx: PageContext): string | null
  isAllowed(ctx: PageContext): boolean
}

/** Declares a table. The types of rows, orders and filters are inferred. */
export const defineTable = <Row, Sort extends string, const Filtered extends Filters>(
  declaration: TableDeclaration<Row, Sort, Filtered>,
): TableDeclaration<Row, Sort, Filtered> => declaration
