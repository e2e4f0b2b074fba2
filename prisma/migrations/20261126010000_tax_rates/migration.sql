-- Null for the lines that exist: their rates are unknown. The constraint is not checked for them, because reading them would lock the table.
ALTER TABLE "invoice_lines"
  ADD COLUMN "tax_rate" DECIMAL(6,3),
  ADD CONSTRAINT "invoice_lines_tax_rate" CHECK ("tax_rate" BETWEEN 0 AND 100) NOT VALID;
