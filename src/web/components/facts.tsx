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

interface FigureCardProps {
  id: string
  title: string
  /** The page with the details of the figure. The whole card is a link to it, so the card contains no other link. */
  link: string
  figure: ComponentChildren
  children?: ComponentChildren
}

/** A card with an important number, in a `div.overview`. */
export const FigureCard = ({ id, title, link, figure, children }: FigureCardProps) => (
  <section class="card linked" aria-labelledby={id}>
    <h2 id={id}>
      <a href={link}>{title}</a>
    </h2>
    {figure !== false && <p class="figure">{figure}</p>}
    {children}
  </section>
)
