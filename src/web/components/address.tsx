import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'

// A wide table keeps addresses up to this length on one line (styles/components/data-table.css).
const shortLength = 36

/**
 * An email address, or a text that may be one, such as a URL. It breaks only at the punctuation of the address, or after a slash. Says so
 * if an account has no address.
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
