// A wide table keeps addresses up to this length on one line (styles/data-table.css).
const shortLength = 36

/** An email address, which breaks only at its punctuation when it does not fit. */
export const Address = ({ children }: { children: string }) => (
  <bdi class={children.length <= shortLength ? 'short' : undefined}>
    {children.split(/(?=[@.])/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </bdi>
)
