/** An e-mail address, which breaks only at its punctuation when it does not fit. */
export const Address = ({ children }: { children: string }) => (
  <bdi class="unbroken">
    {children.split(/(?=[@.])/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </bdi>
)
