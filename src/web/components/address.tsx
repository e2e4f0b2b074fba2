import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'

// Maximum length of an address that a wide table shows on one line (styles/components/data-table.css).
const shortLength = 36

/**
 * An email address, or a text that may be one, such as a URL. It breaks only at punctuation or after a slash. For an account without an
 * address, the component says so.
 */
export function Address({ children }: { children: string }) {
  const address = shownAddress(children)
  return (
    <bdi class={address.length <= shortLength ? 'short' : undefined}>
      {address.split(address.includes('@') ? /(?<=\S)(?=[@.]\S)/ : /(?<=\/)(?=[^/])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </bdi>
  )
}

/** An email address within a sentence. */
export const StrongAddress = ({ children }: { children: string }) => (
  <strong>
    <Address>{children}</Address>
  </strong>
)

/** A name that a user or client chose. It is isolated, so that its writing direction does not affect the surrounding sentence. */
export const Name = ({ children }: { children: string }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
)

/** Names, separated by commas. */
export const Names = ({ names }: { names: readonly string[] }) => (
  <>
    {names.map((name, index) => (
      <>
        {index > 0 && ', '}
        <Name>{name}</Name>
      </>
    ))}
  </>
)
