import type { ComponentChildren } from 'preact'

interface ButtonProps {
  children: ComponentChildren
  /** `second`: an alternative to the main action. `danger`: cannot be undone. `quiet`: looks like a link. */
  kind?: 'second' | 'danger' | 'quiet'
  name?: string
  value?: string
  /** Submits the form even if required fields are empty. */
  skipsValidation?: boolean
  /** Address to which this button sends the form, if it is not the form's own. */
  action?: string
}

/** The submit button of the enclosing form. */
export const Button = ({ children, kind, name, value, skipsValidation, action }: ButtonProps) => (
  <button type="submit" class={kind} name={name} value={value} formnovalidate={skipsValidation} formaction={action}>
    {children}
  </button>
)

interface ButtonsProps {
  /** True for a form that is higher than the window. Its buttons stay at the lower edge of the window until the form ends. */
  isSticky?: boolean
  children: ComponentChildren
}

export const Buttons = ({ isSticky = false, children }: ButtonsProps) => (
  <div class={isSticky ? 'buttons sticky' : 'buttons'}>{children}</div>
)
