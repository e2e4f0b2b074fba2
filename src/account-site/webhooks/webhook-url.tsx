import { truncate } from '../../web/display-name.ts'

const maxCharacters = 60

/** A URL without what all have in common, short enough for a title. */
export const shortUrl = (url: string): string => truncate(url.replace(/^https:\/\//, ''), maxCharacters)

/** What a webhook is called: by its description if it has one. */
export const nameOf = ({ url, description }: { url: string; description: string }): string => description || shortUrl(url)

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
