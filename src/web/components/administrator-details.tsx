interface AdministratorDetailsProps {
  /** Who can act on the text: `your administrator` by default. */
  reader?: string
  /** The text. It can contain text of a third party. */
  children: string
}

/** Technical text that does not help most people. It is closed at first. */
export const AdministratorDetails = ({ reader = 'your administrator', children }: AdministratorDetailsProps) => (
  <details>
    <summary>Details for {reader}</summary>
    <p class="hint">{children}</p>
  </details>
)
