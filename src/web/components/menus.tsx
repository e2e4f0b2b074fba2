import type { ComponentChildren } from 'preact'

/** The menu of a row. Works without JavaScript. Renders nothing without content. */
export const RowMenu = ({ name, children }: { name: string; children: ComponentChildren }) =>
  children ? (
    <details class="row-menu">
      <summary>
        <span aria-hidden="true">⋯</span>
        <span class="visually-hidden">
          Actions for <bdi>{name}</bdi>
        </span>
      </summary>
      <div class="items">{children}</div>
    </details>
  ) : null
