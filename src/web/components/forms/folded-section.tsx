import type { ComponentChildren } from 'preact'
import { useRefusal } from './form.tsx'

interface FoldedSectionProps {
  /** Also the name of the form in the section, if it has one: the section is open when the form was refused. */
  id: string
  title: string
  children: ComponentChildren
}

/** A section that is closed until someone needs it. The identifier is inside, so that browsers open it for a link to it. */
export const FoldedSection = ({ id, title, children }: FoldedSectionProps) => (
  <section class="folded">
    <details open={useRefusal(id) !== null}>
      <summary>
        <h2>{title}</h2>
      </summary>
      <div id={id}>{children}</div>
    </details>
  </section>
)
