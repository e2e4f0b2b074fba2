/** The details of a customer that invoices show. */
interface Customer {
  name: string | null
  address: string | null
  vatId: string | null
}

/** Returns the lines of the customer on an invoice: name, address and VAT ID, each if there is one. The page, the PDF and mails share it. */
export const listCustomerLines = ({ name, address, vatId }: Customer): string[] => [
  ...(name === null ? [] : [name]),
  ...(address === null ? [] : address.split('\n')),
  ...(vatId === null ? [] : [`VAT ID ${vatId}`]),
]
