-- The parameters of password hashes that differ from today's. A wrong password is verified with each of them (schema/accounts/passwords/).
-- Few hashes differ, so the index is small, and building it reads the table once.
CREATE INDEX "users_password_parameters" ON "users" (split_part("password_hash", '$', 4))
    WHERE split_part("password_hash", '$', 4) <> 'm=19456,t=2,p=1';
