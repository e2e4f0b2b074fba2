import type { ComponentChildren } from 'preact'

/** Facts about an object, side by side where there is room. */
export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="columns">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
