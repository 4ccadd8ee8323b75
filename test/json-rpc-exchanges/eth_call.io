// a revert with data
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1111111111111111111111111111111111111111"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted: user error","data":"0x08c379a0"}}
// an error whose text holds escapes
>> {"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"to":"0x11"},"latest"]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length \u003c 20 bytes \"\\u0011\""}}
// a result
>> {"jsonrpc":"2.0","id":3,"method":"eth_call","params":[{"to":"0x2222222222222222222222222222222222222222"},"0x2"]}
<< {"jsonrpc":"2.0","id":3,"result":"0x0000000000000000000000000000000000000000000000000000000000000001"}
