import type { ComponentChildren } from 'preact'

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
