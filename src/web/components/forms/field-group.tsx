import type { ComponentChildren } from 'preact'

interface FieldGroupProps {
  /** Id of the group, for links to it. */
  id: string
  title: string
  /** Explanation of the fields: text, or several paragraphs. */
  about?: ComponentChildren
  /** True for a group that deletes the object of the page, or gives it away. */
  isDangerous?: boolean
  children: ComponentChildren
}

/**
 * A group of fields with a title and an explanation. These are left of the fields where the page is wide, and above them elsewhere. A form
 * can consist of several groups. As a section of a page, a group is a card that contains a form.
 */
export const FieldGroup = ({ id, title, about, isDangerous = false, children }: FieldGroupProps) => (
  <section class={isDangerous ? 'field-group danger-zone' : 'field-group'} id={id} aria-labelledby={`${id}-title`}>
    <div>
      <h2 id={`${id}-title`}>{title}</h2>
      {about !== undefined && <div class="hint">{about}</div>}
    </div>
    <div class="fields">{children}</div>
  </section>
)
