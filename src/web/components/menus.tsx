import type { ComponentChildren } from 'preact'
import { toSingleLine } from '../display-name.ts'

interface MenuProps {
  /** Id of the menu, unique in the page. */
  id: string
  class: string
  /** Content of the button. */
  button: ComponentChildren
  /** Accessible name of the button, if it contains no text. */
  label?: string
  children: ComponentChildren
}

/**
 * A button and the menu that it opens. The menu is a popover: without JavaScript, browsers close it with Escape, with a click outside, or
 * when another one opens. Escape returns the focus to the button.
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
