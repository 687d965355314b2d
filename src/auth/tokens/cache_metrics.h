#pragma once
// How often tokens are known already, with the name of kube-apiserver 1.36.

namespace strake::auth {

void count_token_look_up(bool found);

}  // namespace strake::auth
