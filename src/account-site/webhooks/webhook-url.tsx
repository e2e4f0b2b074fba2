import { truncate } from '../../web/display-name.ts'

const maxCharacters = 60

/** A URL without what all have in common, short enough for a title. */
export const shortUrl = (url: string): string => truncate(url.replace(/^https:\/\//, ''), maxCharacters)

/** A URL that breaks after its punctuation where it does not fit. */
export const Url = ({ children }: { children: string }) => (
  <bdi>
    {children.split(/(?<=[/?&=.-])(?=[^/?&=.-])/).map((part, index) => (
      <>
        {index > 0 && <wbr />}
        {part}
      </>
    ))}
  </bdi>
)
