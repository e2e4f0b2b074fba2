import type { ComponentChildren } from 'preact'

interface TableProps {
  /** The element that says what the table is of, by its identifier; else `label` does. */
  labelledBy?: string
  label?: string
  /** Many numbers in little room. */
  isDense?: boolean
  children: ComponentChildren
}

/** A table that scrolls by itself where it is wider than the window, with a keyboard too. */
export const Table = ({ labelledBy, label, isDense = false, children }: TableProps) => (
  <div class={isDense ? 'table dense' : 'table'} tabIndex={0} role="region" aria-labelledby={labelledBy} aria-label={label}>
    <table>{children}</table>
  </div>
)
