// none
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"0x2","topics":[]}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
// some, numbers and white space as they come
>> {"jsonrpc":"2.0","id":2,"method":"eth_getLogs","params":[{"fromBlock":"0x2","toBlock":"0x4"}]}
<< {"jsonrpc":"2.0","id":2,"result":[ {"address":"0x11","topics":[ ],"data":"0x","removed":false, "index":12345678901234567890, "ratio":1.0e0} ]}
