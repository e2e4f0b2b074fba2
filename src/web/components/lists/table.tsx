import type { ComponentChildren } from 'preact'

interface TableProps {
  /** Id of the element that names the table. Use `label` if there is none. */
  labelledBy?: string
  label?: string
  /** True for tables with many numbers, which get less padding. */
  isDense?: boolean
  children: ComponentChildren
}

/** A table that scrolls horizontally, also with the keyboard, if it is wider than the window. */
export const Table = ({ labelledBy, label, isDense = false, children }: TableProps) => (
  <div class={isDense ? 'table dense' : 'table'} tabIndex={0} role="region" aria-labelledby={labelledBy} aria-label={label}>
    <table>{children}</table>
  </div>
)
