import type { ComponentChildren } from 'preact'

/** Facts about an object, side by side if there is room. Short ones take narrow columns. */
export const Facts = ({ isNarrow = false, children }: { isNarrow?: boolean; children: ComponentChildren }) => (
  <dl class={isNarrow ? 'columns narrow' : 'columns'}>{children}</dl>
)

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
