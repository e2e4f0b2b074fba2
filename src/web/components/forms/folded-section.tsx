import type { ComponentChildren } from 'preact'
import { useRefusal } from './form.tsx'

interface FoldedSectionProps {
  /** Id of the section, and the name of its form if it has one. The section is open after the form was refused. */
  id: string
  title: string
  /** Explanation of the fields, as in a `FieldGroup`. */
  about?: ComponentChildren
  children: ComponentChildren
}

/** A section that is closed at first. The element with the id is inside, so that browsers open the section for a link to it. */
export const FoldedSection = ({ id, title, about, children }: FoldedSectionProps) => (
  <section class="folded">
    <details open={useRefusal(id) !== null}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {about === undefined ? (
        <div id={id}>{children}</div>
      ) : (
        <div id={id} class="field-group">
          <div>
            <div class="hint">{about}</div>
          </div>
          <div class="fields">{children}</div>
        </div>
      )}
    </details>
  </section>
)
