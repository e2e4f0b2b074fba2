import type { ComponentChildren } from 'preact'

/** Closes menus with Escape and with a click outside. Menus work without it. */
export const menuScript = 'menus.js'

interface MenuProps {
  class: string
  /** The summary that opens the menu, and its content. */
  children: ComponentChildren
}

/** A menu. All have the same name: browsers keep only one open of the `details` elements with one name. */
export const Menu = ({ children, ...rest }: MenuProps) => (
  <details name="menu" {...rest}>
    {children}
  </details>
)

/** The menu of a row. Renders nothing without content. */
export const RowMenu = ({ name, children }: { name: string; children: ComponentChildren }) =>
  children ? (
    <Menu class="row-menu">
      <summary>
        <span aria-hidden="true">⋯</span>
        <span class="visually-hidden">
          Actions for <bdi>{name}</bdi>
        </span>
      </summary>
      <div class="items">{children}</div>
    </Menu>
  ) : null
