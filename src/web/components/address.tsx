// A wide table keeps addresses up to this length on one line (styles/data-table.css).
const shortLength = 36

/** An email address, or a text that may be one, such as a URL. It breaks only at the punctuation of the address, or after a slash. */
export const Address = ({ children }: { children: string }) => (
  <bdi class={children.length <= shortLength ? 'short' : undefined}>
    {children.split(children.includes('@') ? /(?<=\S)(?=[@.]\S)/ : /(?<=\/)(?=[^/])/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </bdi>
)

/** An email address within a sentence. */
export const StrongAddress = ({ children }: { children: string }) => (
  <strong>
    <Address>{children}</Address>
  </strong>
)
