import type { ComponentChildren } from 'preact'
import type { PageContext } from '../framework/page-context.ts'

/** A filter in the address. With `options` it is a drop-down list, otherwise a day or a text. */
export interface Filter {
  label: string
  /** Label for no choice; default `All`. */
  none?: string
  /** Labels by value. */
  options?: Readonly<Record<string, string>>
  isDay?: boolean
  /** True for a filter that links set. Its field is shown only while it is in use. */
  isFromLink?: boolean
  /** Returns true if the user can use the filter. By default, everyone who sees the table can. */
  isAllowed?(ctx: PageContext): boolean
}
export type Filters = Readonly<Record<string, Filter>>

/**
 * Place of a column on a phone. A row is two lines high: its name, the columns `name` at the end of the same line, and below them its
 * state. The details, and the menu of the row, appear when the row is opened.
 * - `labelled state`: with the label of the column, for values that are not clear alone: “Expires in 3 days”.
 */
export type PhonePlace = 'name' | 'state' | 'labelled state' | 'detail'

export interface Column<Row, Sort extends string> {
  label: string
  phone: PhonePlace
  /** Order of the list by this column. Without it, the table cannot be sorted by the column. */
  sort?: Sort
  /** True if its first click sorts the highest or newest value first. */
  descendsFirst?: boolean
  /** Names of its orders. By default, newest and oldest first if the newest are first, otherwise A to Z. */
  orders?: readonly [ascending: string, descending: string]
  /** `amount` is a number, aligned to the right. */
  kind?: 'amount'
  /** Returns true if the user may see its values. By default, everyone who sees the table may. */
  isAllowed?(ctx: PageContext): boolean
  cell(row: Row, ctx: PageContext): ComponentChildren
}

/** A table of the account site. Its address, controls, rows and cards are derived from this declaration. */
export interface TableDeclaration<Row, Sort extends string, Filtered extends Filters> {
  /** Noun for the listed objects, for counts. */
  noun: readonly [one: string, many: string]
  /** Returns the name of a row for labels of its menu and its checkbox. */
  getName(row: Row): string
  /** Description of the text that the search box matches. Without it, there is no search. */
  search?: string
  /** Filters by the name of the query's variable, which is also the parameter in the address. */
  filters: Filtered
  /** Columns. The first one identifies the row. */
  columns: readonly Column<Row, Sort>[]
  /** Order without a choice in the address. */
  sort: NoInfer<Sort>
  isDescending?: boolean
  /** Hint for an empty list. */
  empty: ComponentChildren
  /** Returns the content of a row's menu; null for a row without one. */
  menu?(row: Row, ctx: PageContext): ComponentChildren
  /** Checkboxes, which belong to a form of the page. */
  selection?: Selection<Row>
}

export interface Selection<Row> {
  /** Id of the form element. */
  form: string
  /** Returns the value of a row; null for a row that cannot be selected. */
  getValue(row: Row, ctx: PageContext): string | null
  isAllowed(ctx: PageContext): boolean
}

/** Declares a table. The types of rows, orders and filters are inferred. */
export const defineTable = <Row, Sort extends string, const Filtered extends Filters>(
  declaration: TableDeclaration<Row, Sort, Filtered>,
): TableDeclaration<Row, Sort, Filtered> => declaration
