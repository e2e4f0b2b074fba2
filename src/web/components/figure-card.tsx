import type { ComponentChildren } from 'preact'

interface FigureCardProps {
  id: string
  title: string
  /** The page that shows what is behind the figure. The whole card leads to it, so it contains no other link. */
  link: string
  figure: ComponentChildren
  children?: ComponentChildren
}

/** A card with a number that matters, in a `div.overview`. */
export const FigureCard = ({ id, title, link, figure, children }: FigureCardProps) => (
  <section class="card linked" aria-labelledby={id}>
    <h2 id={id}>
      <a href={link}>{title}</a>
    </h2>
    {figure !== false && <p class="figure">{figure}</p>}
    {children}
  </section>
)
