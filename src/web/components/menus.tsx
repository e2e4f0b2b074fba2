import type { ComponentChildren } from 'preact'
import { toSingleLine } from '../display-name.ts'

interface MenuProps {
  /** Unique in the page. */
  id: string
  class: string
  /** What the button shows. */
  button: ComponentChildren
  /** What the button is called, if it shows no words. */
  label?: string
  children: ComponentChildren
}

/**
 * A button and the menu that it opens. Menus are popovers: browsers close one with Escape, which returns the focus, with a click outside,
 * and when another one opens, without JavaScript too.
 */
export const Menu = ({ id, class: kind, button, label, children }: MenuProps) => (
  <div class={kind}>
    <button type="button" popovertarget={id} aria-label={label}>
      {button}
    </button>
    <div id={id} popover>
      {children}
    </div>
  </div>
)

/** The menu of a row. Renders nothing without content. */
export const RowMenu = ({ id, name, children }: { id: string; name: string; children: ComponentChildren }) =>
  children ? (
    <Menu id={id} class="row-menu" button="⋯" label={`Actions for ${toSingleLine(name)}`}>
      {children}
    </Menu>
  ) : null
